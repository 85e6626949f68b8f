// The shapes of what the server sends, for the type checker. Nothing here runs.

/**
 * @typedef {Record<string, string>} Sentence  a sentence by language
 *
 * @typedef {number | number[]} Hole  seeds, or [red, blue, transparent]
 *
 * @typedef {object} Rules
 * @property {string} name
 * @property {string} spec  as the API takes it
 * @property {Sentence} title
 * @property {Sentence} description
 * @property {string} source
 * @property {boolean} village
 * @property {number} pits
 * @property {number} holes
 * @property {number} seeds
 * @property {number} total
 * @property {boolean} coloured
 * @property {boolean} relay
 * @property {number[]} owners
 * @property {string[]} labels
 * @property {string} start
 * @property {Sentence[]} sides
 *
 * @typedef {object} Position
 * @property {Hole[]} board
 * @property {number[]} scores
 * @property {number} turn
 * @property {number} ply
 *
 * @typedef {object} LegalMove
 * @property {string} move
 * @property {number} pit
 * @property {string | null} colour
 * @property {number} last
 * @property {number} laps
 * @property {[number, number][]} captures
 * @property {number} taken
 * @property {boolean} spared
 * @property {number | null} endless
 *
 * @typedef {object} Outcome
 * @property {number | null} winner
 * @property {number[]} scores
 * @property {string} reason
 * @property {Sentence} text
 *
 * @typedef {object} ViewPart
 * @property {string} position
 * @property {boolean} over
 * @property {Outcome | null} outcome
 * @property {LegalMove[]} legal
 * @property {Record<string, Sentence>} refusals
 *
 * @typedef {Position & ViewPart} View
 *
 * @typedef {object} Trace
 * @property {string} move
 * @property {number} mover
 * @property {number} pit
 * @property {string | null} colour
 * @property {{pit: number, landings: number[], colours: string}[]} laps
 * @property {number} lapCount
 * @property {[number, number][]} captures
 * @property {number} taken
 * @property {boolean} spared
 * @property {number | null} period
 * @property {Hole[]} board
 * @property {number[]} swept
 * @property {boolean} passed
 *
 * @typedef {object} Row  a move played
 * @property {string} move
 * @property {number} mover
 * @property {number} taken
 * @property {Position} after
 *
 * @typedef {object} ClockState
 * @property {number} start
 * @property {number} increment
 * @property {number[]} left
 * @property {number | null} running
 *
 * @typedef {object} SeatState
 * @property {"person" | "computer"} kind
 * @property {string} name
 * @property {boolean} present
 *
 * @typedef {object} MoveValue
 * @property {string} move
 * @property {number} pit
 * @property {boolean} bound
 * @property {number} seeds
 * @property {boolean} exact
 * @property {number | null} result
 *
 * @typedef {object} Analysis
 * @property {number} turn
 * @property {number} depth
 * @property {number} nodes
 * @property {number} seconds
 * @property {{seeds: number, exact: boolean, result: number | null, plies: number | null}} value
 * @property {string[]} line
 * @property {[number, number][]} path  pit and last pit of the line's first moves
 * @property {MoveValue[]} moves
 * @property {boolean} final
 *
 * @typedef {object} Judgement  a move of a reviewed game
 * @property {number} ply
 * @property {number} mover
 * @property {string} move
 * @property {string} best
 * @property {string[]} line
 * @property {number} before
 * @property {number} after
 * @property {boolean} exact
 * @property {number} loss
 * @property {string} mark
 * @property {number} accuracy
 * @property {boolean} turning
 */

export {};
