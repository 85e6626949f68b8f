"""The full-screen terminal application, `awale.tui.app.AwaleApp`."""
