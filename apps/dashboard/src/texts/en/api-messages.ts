export const apiMessages = {
  unreachable: 'The gateway cannot be reached.',
  answered: (status: number) => `The gateway answered ${status}.`,
  /** Texts that replace the gateway's message for an error of the whole request. The gateway writes English, so English replaces nothing. */
  byCode: {} as Readonly<Record<string, string>>,
} as const;
