"""The board as a full-screen application in the terminal. `awale.tui.app.AwaleApp` is it; nothing is loaded before."""
