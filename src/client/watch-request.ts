import type { Dispatcher } from 'undici'

export interface RequestWatch {
  /**
   * Called right before the first byte of the request is written to its connection, and again if undici were to write
   * it a second time. When it throws, nothing is written and the request fails with that error.
   */
  readonly onStart?: () => void
  /** May give another error in the place of the one that a request failed with. */
  readonly onError?: (error: Error) => Error
}

/** Makes the steps of undici requests visible: its `request` shows only how they end. */
export function watchRequest(watch: RequestWatch): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        watch.onStart?.()
        handler.onRequestStart?.(controller, context)
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (controller, error) => handler.onResponseError?.(controller, watch.onError?.(error) ?? error),
    })
}
