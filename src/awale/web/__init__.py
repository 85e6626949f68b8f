"""The board in the browser: pages, a JSON API and a WebSocket a game. `awale serve` starts it.

`awale.web.app.create_app` makes the application; nothing here knows a rule of the game.
"""
