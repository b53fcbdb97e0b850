/** Envelopes that parsing and writing again would change: their text, and how it is kept on one line. */
export const byteExact: [what: string, text: string, oneLine: string][] = [
  ['a fraction of nought', of('"n":1.0'), of('"n":1.0')],
  ['an integer over 2^53', of('"n":12345678901234567890'), of('"n":12345678901234567890')],
  ['an exponent', of('"n":1E+2'), of('"n":1E+2')],
  ['escapes', of('"s":"\\u00e9\\/\\n é"'), of('"s":"\\u00e9\\/\\n é"')],
  ['half a surrogate pair', of('"s":"\\ud83d"'), of('"s":"\\ud83d"')],
  ['keys that look like numbers, out of order', of('"2":0,"b":0,"1":0'), of('"2":0,"b":0,"1":0')],
  ['a key twice', of('"a":1,"a":2'), of('"a":1,"a":2')],
  ['brackets, quotes and backslashes in a string', of('"s":"]}\\"[{\\\\"'), of('"s":"]}\\"[{\\\\"')],
  ['spacing on one line', of(' "a" : [ 1 ,\t2 ] '), of(' "a" : [ 1 ,\t2 ] ')],
  ['several lines', of('\n  "a": [\r\n\r\n    1.0,\n    "x  y"\n  ]\n'), of('"a": [1.0,"x  y"]')],
]

function of(payload: string): string {
  return `{"id":"evt_9","type":"agent.message","payload":{${payload}}}`
}
