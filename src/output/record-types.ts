import type * as z from 'zod/mini'
import { confirmation, pending, result, verdict } from './records/answer-records.ts'
import { job, jobForgotten, jobKeptAside } from './records/job-records.ts'
import { auth, configPath, login, logout, profileInUse, setting, settingChanged } from './records/profile-records.ts'
import { check, emulator, error, exitCode, help, place, recordType, variable } from './records/program-records.ts'
import { frame, idle, interrupt, message, reconnected, reply, resultUpdated, steer } from './records/session-records.ts'

/** Every record that the tool prints, by its `type`: `help output`, `schema` and the type of what can be printed come from here. */
export const recordTypes = [
  auth,
  check,
  configPath,
  confirmation,
  emulator,
  error,
  exitCode,
  frame,
  help,
  idle,
  interrupt,
  job,
  jobForgotten,
  jobKeptAside,
  login,
  logout,
  message,
  pending,
  place,
  profileInUse,
  reconnected,
  recordType,
  reply,
  result,
  resultUpdated,
  setting,
  settingChanged,
  steer,
  variable,
  verdict,
] as const

export type ToolRecord = z.infer<(typeof recordTypes)[number]>

/** The record of one name, such as `RecordOf<'result'>`. */
export type RecordOf<Name extends string> = Extract<ToolRecord, { type: `herm_tools.${Name}` }>
