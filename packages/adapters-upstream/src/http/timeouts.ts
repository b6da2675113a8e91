/** How long each part of an exchange may take, in milliseconds. */
export interface Timeouts {
  /** Until the connection stands, encryption included. */
  readonly connectMilliseconds: number;
  /** From there until a stream's headers. */
  readonly firstByteMilliseconds: number;
  /** Between two reads of a reply, while somebody waits for it. */
  readonly silenceMilliseconds: number;
  /** For everything together. */
  readonly wholeMilliseconds: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  connectMilliseconds: 5_000,
  firstByteMilliseconds: 60_000,
  silenceMilliseconds: 60_000,
  wholeMilliseconds: 15 * 60_000,
};

/** A whole reply's first byte comes after its last token, so it is waited for this many times as long. */
export const WHOLE_REPLY_PATIENCE = 5;
