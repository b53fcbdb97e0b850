// All pages of a history, and nothing done with them: what the network and the service cost.
//   node read-pages.mjs SESSION
import { request } from 'undici'

const url = `${process.env.HERM_BASE_URL}/v1/sessions/${process.argv[2]}/events?limit=100`
let pages = 0
for (let cursor = ''; cursor !== undefined; pages++) {
  const { body } = await request(cursor === '' ? url : `${url}&cursor=${cursor}`)
  const text = await body.text()
  cursor = /"nextCursor":"(\w+)"\}$/.exec(text.slice(-40))?.[1]
}
console.log(pages)
