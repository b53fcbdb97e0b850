import { HermError } from '../errors.ts'
import { didYouMean } from './did-you-mean.ts'

/** What `config` reads and writes in a profile. */
export const configKeys = ['baseUrl', 'session', 'agent', 'caFile', 'timeout', 'settle'] as const

export type ConfigKey = (typeof configKeys)[number]

/** Throws `usage` for any other word; for `apiKey` it says where that belongs. */
export function parseConfigKey(word: string): ConfigKey {
  const key = configKeys.find((known) => known === word)
  if (key !== undefined) return key
  if (word === 'apiKey') {
    throw new HermError('usage', 'the API key is no matter of `config`', {
      hint: 'Use herm-tools auth login, auth status or auth logout. A key typed here is now in the shell history.',
    })
  }
  const question = didYouMean(word, configKeys)
  throw new HermError('usage', `there is no setting "${word}"`, {
    hint: `${question === undefined ? '' : `${question} `}The settings are ${configKeys.join(', ')}.`,
  })
}
