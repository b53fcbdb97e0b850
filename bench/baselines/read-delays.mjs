// Reads lines, or frames, from stdin and says how long ago each event in them was sent; see paced in ../server/streams.mjs.
let rest = ''
const delays = []
for await (const chunk of process.stdin.setEncoding('latin1')) {
  const nowUs = Number(process.hrtime.bigint() / 1000n)
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  for (const line of lines) {
    const sentUs = /"sent_us":(\d+)/.exec(line)?.[1]
    if (sentUs !== undefined) delays.push((nowUs - Number(sentUs)) / 1_000)
  }
}
console.log(JSON.stringify(delays))
