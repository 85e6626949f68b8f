// Where everything lies on the board: pits, stores, and the seeds within a pit so that they can be counted at a glance.

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{x: number, y: number, rx: number, ry: number, label: Point, count: Point, row: number, column: number}} PitPlace
 * @typedef {{x: number, y: number, rx: number, ry: number, count: Point}} StorePlace
 * @typedef {{width: number, height: number, round: number, pits: PitPlace[], stores: StorePlace[], seed: number, shape: string,
 *            arrows: string[]}} Layout
 */

/**
 * The layout for two rows of pits, the far one first, each from left to right as South sees them. `narrow` is for phones
 * held upright: tall pits, the stores above and below.
 *
 * @param {number[][]} rows
 * @param {{narrow: boolean, flipped: boolean, ring: boolean}} options
 * @returns {Layout}
 */
export function layOut(rows, { narrow, flipped, ring }) {
  if (ring && rows[0].length === 8) return ringOf16(flipped, clockwise(rows));
  const seen = flipped ? [...rows].reverse().map((row) => [...row].reverse()) : rows;
  return narrow ? narrowRows(seen, flipped) : wideRows(seen, flipped);
}

/** Whether seeds are sown to the left along the near row. @param {number[][]} rows */
function clockwise([, near]) {
  return near[0] > near[near.length - 1];
}

/**
 * @param {number} pit
 * @param {number[][]} rows
 * @returns {{row: number, column: number}} row 0 is the far one
 */
function cell(pit, rows) {
  const row = rows[0].includes(pit) ? 0 : 1;
  return { row, column: rows[row].indexOf(pit) };
}

/** @param {number[][]} rows @param {boolean} flipped @returns {Layout} */
function wideRows(rows, flipped) {
  const k = rows[0].length;
  const w = k <= 6 ? 150 : k <= 8 ? 128 : 1060 / k;
  const ry = Math.min(68, Math.max(52, w * 0.46));
  const rx = Math.min(w * 0.455, 72);
  const store = 118;
  const edge = 26;
  const width = 2 * (edge + store + 10) + k * w;
  const half = ry + 30;
  const height = 2 * edge + 4 * half + 12;
  const middle = height / 2;
  /** @type {PitPlace[]} */
  const pits = [];
  for (let pit = 0; pit < 2 * k; pit++) {
    const { row, column } = cell(pit, rows);
    const x = edge + store + 10 + (column + 0.5) * w;
    const y = middle + (row ? 1 : -1) * (6 + ry);
    const away = y + (row ? 1 : -1) * (ry + 24);
    pits.push({ x, y, rx, ry, row, column, label: { x: x - 34, y: away }, count: { x: x + 18, y: away } });
  }
  const left = edge + store / 2;
  const places = [left, width - left].map((x) => ({
    x, y: middle, rx: store / 2 - 4, ry: 2 * half - 40, count: { x, y: middle + 2 * half - 14 },
  }));
  // South's store is at South's right hand, North's at North's.
  const stores = flipped ? places : [places[1], places[0]];
  const y1 = middle - half * 2 - 14, y2 = middle + half * 2 + 14, a = width / 2;
  const on = clockwise(rows) ? -80 : 80;
  const arrows = [arrow(a + on / 2, y1, -on), arrow(a - on / 2, y2, on)];
  return { width, height, round: 60, pits, stores, seed: 18, shape: "wide", arrows };
}

/** @param {number[][]} rows @param {boolean} flipped @returns {Layout} */
function narrowRows(rows, flipped) {
  const k = rows[0].length;
  const width = 400, edge = 12;
  const w = (width - 2 * edge) / k;
  const rx = w / 2 - 2.5, ry = Math.min(72, Math.max(rx, 62));
  const strip = 58;
  const top = edge + strip + 34;
  const height = 2 * top + 4 * ry + 8;
  const middle = height / 2;
  /** @type {PitPlace[]} */
  const pits = [];
  for (let pit = 0; pit < 2 * k; pit++) {
    const { row, column } = cell(pit, rows);
    const x = edge + (column + 0.5) * w, y = middle + (row ? 1 : -1) * (4 + ry);
    const away = y + (row ? 1 : -1) * (ry + 15);
    pits.push({ x, y, rx, ry, row, column, label: { x: x - Math.min(15, w * 0.25), y: away },
                count: { x: x + Math.min(11, w * 0.21), y: away } });
  }
  const places = [edge + strip / 2, height - edge - strip / 2].map((y) => ({
    x: width / 2, y, rx: width / 2 - edge - 2, ry: strip / 2 - 1, count: { x: width - edge - 34, y },
  }));
  const stores = flipped ? places : [places[1], places[0]];
  return { width, height, round: 40, pits, stores, seed: 12.5, shape: "narrow", arrows: [] };
}

/**
 * Sixteen holes round a square, the stores in the middle: the three-colour game on a phone.
 * @param {boolean} flipped @param {boolean} mirrored @returns {Layout}
 */
function ringOf16(flipped, mirrored) {
  const width = 400, edge = 8, w = (width - 2 * edge) / 5;
  const height = width + 24;
  /** @type {PitPlace[]} */
  const pits = [];
  const path = [];
  for (let i = 0; i < 4; i++) path.push([i, 4]);
  for (let i = 0; i < 4; i++) path.push([4, 4 - i]);
  for (let i = 0; i < 4; i++) path.push([4 - i, 0]);
  for (let i = 0; i < 4; i++) path.push([0, i]);
  for (let pit = 0; pit < 16; pit++) {
    const [step, row] = path[flipped ? (pit + 8) % 16 : pit];
    const column = mirrored ? 4 - step : step;
    const x = edge + (column + 0.5) * w, y = edge + 4 + (row + 0.5) * (w + 4);
    pits.push({ x, y: y - 4, rx: w / 2 - 3, ry: w / 2 - 7, row, column, label: { x: x - 14, y: y + w / 2 - 4 },
                count: { x: x + 9, y: y + w / 2 - 4 } });
  }
  const places = [0, 1].map((i) => {
    const y = height / 2 + (i ? 1 : -1) * (w * 0.72);
    return { x: width / 2, y, rx: w * 1.4, ry: w * 0.6, count: { x: width / 2 + w * 1.1, y } };
  });
  const stores = flipped ? places : [places[1], places[0]];
  return { width, height, round: 40, pits, stores, seed: 10, shape: "ring", arrows: [] };
}

/** @param {number} x @param {number} y @param {number} length @returns {string} */
function arrow(x, y, length) {
  const s = Math.sign(length);
  return `M${x} ${y}h${length}m${-8 * s} ${-6}l${8 * s} 6l${-8 * s} 6`;
}

/** Small numbers as on dice, in seed diameters: they are seen, not counted. @type {Record<number, [number, number][]>} */
const FACES = {
  1: [[0, 0]],
  2: [[-0.55, 0], [0.55, 0]],
  3: [[0, -0.6], [-0.58, 0.42], [0.58, 0.42]],
  4: [[-0.56, -0.56], [0.56, -0.56], [-0.56, 0.56], [0.56, 0.56]],
  5: [[-0.8, -0.8], [0.8, -0.8], [0, 0], [-0.8, 0.8], [0.8, 0.8]],
  6: [[-1.05, -0.55], [0, -0.55], [1.05, -0.55], [-1.05, 0.55], [0, 0.55], [1.05, 0.55]],
  7: [[-0.53, -0.92], [0.53, -0.92], [-1.06, 0], [0, 0], [1.06, 0], [-0.53, 0.92], [0.53, 0.92]],
  8: [[-1.05, -0.95], [0, -0.95], [1.05, -0.95], [-0.53, 0], [0.53, 0], [-1.05, 0.95], [0, 0.95], [1.05, 0.95]],
  9: [[-1.05, -1.05], [0, -1.05], [1.05, -1.05], [-1.05, 0], [0, 0], [1.05, 0], [-1.05, 1.05], [0, 1.05], [1.05, 1.05]],
  10: [[-1.04, -0.9], [0, -0.9], [1.04, -0.9], [-1.56, 0], [-0.52, 0], [0.52, 0], [1.56, 0],
       [-1.04, 0.9], [0, 0.9], [1.04, 0.9]],
};

/** @type {Map<string, {points: Point[], r: number}>} */
const packed = new Map();

/**
 * Places for `n` seeds in an ellipse, none over another; the seeds shrink when there are many.
 *
 * @param {number} n
 * @param {number} rx
 * @param {number} ry
 * @param {number} most  a seed's radius where there is room
 * @returns {{points: Point[], r: number}}
 */
export function pack(n, rx, ry, most) {
  const key = `${n} ${rx} ${ry} ${most}`;
  let found = packed.get(key);
  if (!found) {
    found = n === 0 ? { points: [], r: most } : (face(n, rx, ry, most) ?? lattice(n, rx, ry, most));
    packed.set(key, found);
  }
  return found;
}

/** @param {number} n @param {number} rx @param {number} ry @param {number} most */
function face(n, rx, ry, most) {
  const tall = ry > 1.4 * rx, flat = rx > 1.4 * ry;
  /** @type {[number, number][] | undefined} */
  let shape = FACES[n];
  if (tall || flat) {
    if (n > 8) return null;
    const rows = Math.ceil(n / 2);
    shape = [];
    for (let i = 0; i < n; i++) {
      const alone = n % 2 === 1 && i === n - 1;
      /** @type {[number, number]} */
      const at = [alone ? 0 : i % 2 ? 0.53 : -0.53, (Math.floor(i / 2) - (rows - 1) / 2) * 1.06];
      shape.push(flat ? [at[1], at[0]] : at);
    }
    if (n <= 3) shape = shape.map((_, i) => (flat ? [(i - (n - 1) / 2) * 1.1, 0] : [0, (i - (n - 1) / 2) * 1.1]));
  }
  if (!shape) return null;
  const face = shape;
  for (let r = most; r > 0.7 * most; r *= 0.97) {
    const d = 2 * r;
    if (face.every(([x, y]) => inside(x * d, y * d, r, rx, ry))) {
      return { points: face.map(([x, y]) => ({ x: x * d, y: y * d })), r };
    }
  }
  return null;
}

/** @param {number} x @param {number} y @param {number} r @param {number} rx @param {number} ry */
function inside(x, y, r, rx, ry) {
  const a = rx - r - 1, b = ry - r - 1;
  return a > 0 && b > 0 && (x / a) ** 2 + (y / b) ** 2 <= 1;
}

/** A honeycomb, as coarse as still holds `n`. @param {number} n @param {number} rx @param {number} ry @param {number} most */
function lattice(n, rx, ry, most) {
  let r = most;
  for (;;) {
    for (const [dx, dy] of [[0, 0], [0.5, 0], [0, 0.5], [0.5, 0.29]]) {
      const d = 2 * r + 0.6, points = [];
      const columns = Math.ceil(rx / d) + 1, rows = Math.ceil(ry / (d * 0.866)) + 1;
      for (let row = -rows; row <= rows; row++) {
        for (let column = -columns; column <= columns; column++) {
          const x = (column + (row % 2 ? 0.5 : 0) + dx) * d, y = (row + dy) * d * 0.866;
          if (inside(x, y, r, rx, ry)) points.push({ x, y });
        }
      }
      if (points.length >= n) {
        points.sort((p, q) => (p.x / rx) ** 2 + (p.y / ry) ** 2 - (q.x / rx) ** 2 - (q.y / ry) ** 2);
        const kept = points.slice(0, n).sort((p, q) => p.y - q.y || p.x - q.x);
        return { points: kept, r };
      }
    }
    r *= 0.96;
  }
}
