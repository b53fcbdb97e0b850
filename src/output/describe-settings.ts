import { maskedKey } from '../store/masked-key.ts'
import type { Settings } from '../store/settings.ts'
import { durationText } from './duration-text.ts'
import type { RecordOf } from './record-types.ts'
import type { Printable } from './reporter.ts'
import { tableRows } from './table.ts'
import { oneLine } from './visible-text.ts'

/** A setting as it is in force; the value in the form that it is typed in. */
export interface SettingText {
  readonly key: string
  readonly value: string | undefined
  readonly origin: string | undefined
}

/** Every setting, the API key masked. */
export function settingTexts(settings: Settings): SettingText[] {
  const { apiKey, baseUrl, session, agent, caFile, timeoutMs, settleMs } = settings
  return [
    { key: 'apiKey', value: apiKey && maskedKey(apiKey.value), origin: apiKey?.origin },
    { key: 'baseUrl', ...baseUrl },
    { key: 'session', value: session?.value, origin: session?.origin },
    { key: 'agent', value: agent?.value, origin: agent?.origin },
    { key: 'caFile', value: caFile?.value, origin: caFile?.origin },
    { key: 'timeout', value: durationText(timeoutMs.value), origin: timeoutMs.origin },
    { key: 'settle', value: durationText(settleMs.value), origin: settleMs.origin },
  ]
}

/** A `herm_tools.setting`; value and origin are null when nothing sets it. */
export function settingRecord({ key, value, origin }: SettingText): RecordOf<'setting'> {
  return { type: 'herm_tools.setting', key, value: value ?? null, origin: origin ?? null }
}

export function settingTable(settings: Settings): Printable[] {
  return tableRows(settingTexts(settings), {
    record: settingRecord,
    columns: [
      { title: 'KEY', cell: ({ key }) => key },
      { title: 'VALUE', cell: ({ value }) => value },
      { title: 'ORIGIN', cell: ({ origin }) => origin },
    ],
  })
}

/** What a profile now holds for a key. */
export function changeRecord(change: { profile: string; key: string; value: string | undefined }): Printable {
  const { profile, key, value } = change
  return {
    json: { type: 'herm_tools.setting_changed', profile, key, value: value ?? null },
    isSentence: true,
    text: () =>
      value === undefined
        ? `${key} is not set in profile ${oneLine(profile)}`
        : `${key} is ${oneLine(value)} in profile ${oneLine(profile)}`,
  }
}
