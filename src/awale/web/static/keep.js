// Settings kept in local storage: theme, speed, the last new game. A browser that forbids it is no error.

/** @param {string} key @param {string} otherwise */
export function remembered(key, otherwise) {
  try {
    return localStorage.getItem(`awale-${key}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {string} value */
export function remember(key, value) {
  try {
    localStorage.setItem(`awale-${key}`, value);
  } catch {
    // private windows may forbid it
  }
}
