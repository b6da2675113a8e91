/** The boundaries of a request at which a gateway can be made to die, in the order a request passes them. */
export const KILL_POINTS = [
  'after-auth', 'after-admission', 'after-reserve', 'before-upstream', 'after-upstream', 'first-output', 'middle', 'last-output',
  'before-settle', 'inside-settle', 'after-settle',
] as const;

export type KillPoint = (typeof KILL_POINTS)[number];
