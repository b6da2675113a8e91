export const apiMessages = {
  unreachable: 'The gateway cannot be reached.',
  answered: (status: number) => `The gateway answered ${status}.`,
  /** What replaces the gateway's message of an error that concerns no field. The gateway writes English, so English replaces nothing. */
  byCode: {} as Readonly<Record<string, string>>,
} as const;
