// Settings of this browser: in local storage, or in a cookie where the server must know them to draw the first picture.
// A browser that forbids it is no error.

/** @param {string} key @param {string} otherwise */
export function remembered(key, otherwise) {
  try {
    return localStorage.getItem(`awale-${key}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** What was kept as JSON by names; empty if it cannot be read. @param {string} key @returns {Record<string, any>} */
export function rememberedRecord(key) {
  try {
    const found = JSON.parse(remembered(key, "{}"));
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

/** @param {string} key @param {string} value */
export function remember(key, value) {
  try {
    if (value === "") localStorage.removeItem(`awale-${key}`);
    else localStorage.setItem(`awale-${key}`, value);
  } catch {
    // private windows may forbid it
  }
}

/**
 * Choose a part of the look: it is an attribute of the page, and a cookie from which the server writes that attribute.
 * @param {"theme" | "board" | "seeds"} name
 * @param {string} value  "" for the usual look
 */
export function chooseLook(name, value) {
  if (value) document.documentElement.dataset[name] = value;
  else delete document.documentElement.dataset[name];
  document.cookie = `awale-${name}=${value}; path=/; max-age=${value ? 31536000 : 0}; samesite=lax`;
}
