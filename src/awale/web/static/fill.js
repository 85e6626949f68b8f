// The sentences of the catalogue, filled in as `awale.i18n.text` does.

/**
 * Fill in {count} with a value, and {count:one|many} with the form that fits it.
 * @param {string} sentence
 * @param {Record<string, string | number>} values
 * @param {string} lang
 */
export function fill(sentence, values, lang) {
  return sentence.replace(/\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}/g, (whole, name, one, many) => {
    if (!(name in values)) return whole;
    const value = String(values[name]);
    return many === undefined ? value : isSingular(value, lang) ? one : many;
  });
}

/** In French, everything below two is singular: 0 graine, 1,5 graine. @param {string} value @param {string} lang */
function isSingular(value, lang) {
  if (lang !== "fr") return value === "1";
  return Math.abs(Number(value.replace(",", ".").replace(/[\u202f\u00a0 ]/g, "").replace("\u2212", "-"))) < 2;
}
