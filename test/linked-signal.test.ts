import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { linkedSignal } from '../src/linked-signal.ts'

const reason = new Error('why')

it('aborts when its parent does, with the reason', () => {
  const parent = new AbortController()
  const { signal } = linkedSignal(parent.signal)
  expect(signal.aborted).toBe(false)
  parent.abort(reason)
  expect(signal.reason).toBe(reason)
})

it('is aborted from the beginning when its parent is', () => {
  expect(linkedSignal(AbortSignal.abort(reason)).signal.reason).toBe(reason)
})

it('aborts alone, and leaves nothing in its parent', () => {
  const parent = new AbortController()
  const linked = linkedSignal(parent.signal)
  linked.abort(reason)
  expect(linked.signal.reason).toBe(reason)
  expect(parent.signal.aborted).toBe(false)
  expect(getEventListeners(parent.signal, 'abort')).toEqual([])
})

it('once unlinked, does not hear its parent, and leaves nothing in it', () => {
  const parent = new AbortController()
  const linked = linkedSignal(parent.signal)
  linked.unlink()
  expect(getEventListeners(parent.signal, 'abort')).toEqual([])
  parent.abort(reason)
  expect(linked.signal.aborted).toBe(false)
})

it('needs no parent', () => {
  const linked = linkedSignal(undefined)
  linked.unlink()
  linked.abort(reason)
  expect(linked.signal.reason).toBe(reason)
})
