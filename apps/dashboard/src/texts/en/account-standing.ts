/** What every page says of an account that is suspended or about to be deleted. */
export const accountStanding = {
  scheduled: (day: string) => `Your account will be deleted on ${day}. Requests are refused.`,
  suspended: (reason: string | null) => `Your account is suspended: requests are refused, and nothing can be changed. ${reason === null ? 'Ask the operator.' : `The operator writes: “${reason}”`}`,
  toDeletion: 'See deletion',
} as const;
