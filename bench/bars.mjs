/**
 * @typedef {object} Bar A value, and what it shall be.
 * @property {string} what
 * @property {string} bar
 * @property {string} value
 * @property {boolean} isMet
 */

/** @returns {Bar} */
export function atMost(limit, { what, value, digits = 2, unit = '' }) {
  return bar('≤', { limit, what, value, digits, unit, isMet: value <= limit })
}

/** @returns {Bar} */
export function atLeast(limit, { what, value, digits = 0, unit = '' }) {
  return bar('≥', { limit, what, value, digits, unit, isMet: value >= limit })
}

function bar(sign, { limit, what, value, digits, unit, isMet }) {
  const tail = unit === '' ? '' : ` ${unit}`
  return { what, bar: `${sign} ${limit.toFixed(digits)}${tail}`, value: `${value.toFixed(digits)}${tail}`, isMet }
}
