import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonElements, valueOffset } from '../../src/protocol/json-elements.ts'

describe('jsonElements', () => {
  it.each<[text: string, elements: string[]]>([
    ['[]', []],
    ['[ \n ]', []],
    ['[1.0,12345678901234567890, -0 ,1e400]', ['1.0', '12345678901234567890', '-0', '1e400']],
    ['[true,null , false]', ['true', 'null', 'false']],
    ['["\\u00e9","é","\\/"]', ['"\\u00e9"', '"é"', '"\\/"']],
    ['[{"2":1,"1":2,"a":3,"a":4}]', ['{"2":1,"1":2,"a":3,"a":4}']],
    ['["]","[","}{",","]', ['"]"', '"["', '"}{"', '","']],
    ['["\\"","\\\\","\\\\\\"]",""]', ['"\\""', '"\\\\"', '"\\\\\\"]"', '""']],
    ['[[1,[2]],[],{"a":{"b":"}"}}]', ['[1,[2]]', '[]', '{"a":{"b":"}"}}']],
    ['[\r\n  {\r\n    "a": 1\r\n  },\t2\r\n]', ['{\r\n    "a": 1\r\n  }', '2']],
  ])('cuts %j as it stands', (text, elements) => {
    expect(jsonElements(text, 0)).toEqual(elements)
  })

  it('gives slices that parse to the elements and join to the array, for any array and spacing', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t', '\r\n '), (values, space) => {
        const text = JSON.stringify(values, null, space)
        const elements = jsonElements(text, 0)
        const expected: unknown[] = JSON.parse(text)
        expect(elements.map((element) => JSON.parse(element))).toEqual(expected)
        expect(elements.every((element) => text.includes(element) && element === element.trim())).toBe(true)
        expect(JSON.parse(`[${elements.join(',')}]`)).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('takes time in proportion to the text, of backslashes and of nesting', () => {
    const backslashes = JSON.stringify(['\\'.repeat(1_000_000), '"'.repeat(500_000)])
    expect(jsonElements(backslashes, 0)).toHaveLength(2)
    const deep = `[${'['.repeat(500_000)}${']'.repeat(500_000)},1]`
    expect(jsonElements(deep, 0)).toHaveLength(2)
  }, 5_000)
})

describe('valueOffset', () => {
  it.each<[text: string, value: string | undefined]>([
    ['{"data":[1]}', '[1]}'],
    ['\n{ "a" : {"data":[0]} , "data" : [1] }', '[1] }'],
    ['{"x":"\\"data\\":[0]","data":[1]}', '[1]}'],
    ['{"d\\u0061ta":[1]}', '[1]}'],
    ['{"data":[0],"b":1,"data":[1]}', '[1]}'],
    ['{"data":"text"}', '"text"}'],
    ['{"a":[{"data":[0]}]}', undefined],
    ['{}', undefined],
  ])('of "data" in %j', (text, value) => {
    const offset = valueOffset(text, 'data')
    expect(offset === undefined ? undefined : text.slice(offset)).toBe(value)
  })
})
