export type StandingActName = 'suspend' | 'reactivate' | 'block' | 'unblock' | 'verify' | 'schedule' | 'cancelDeletion' | 'deleteNow' | 'endSessions';

interface AccountState {
  readonly status: 'active' | 'suspended' | 'pending-deletion' | 'deleted';
  readonly blocked: boolean;
  readonly email_verified: boolean;
  readonly person: { readonly sessions: number } | null;
}

/** Acts that the account's state permits; destructive ones last. */
export function openActs({ status, blocked, email_verified: verified, person }: AccountState): readonly StandingActName[] {
  if (status === 'deleted') return [];
  const open: readonly (readonly [StandingActName, boolean])[] = [
    ['reactivate', status === 'suspended'], ['unblock', blocked], ['verify', !verified], ['cancelDeletion', status === 'pending-deletion'],
    ['suspend', status === 'active'], ['block', !blocked], ['endSessions', person !== null && person.sessions > 0], ['schedule', status !== 'pending-deletion'], ['deleteNow', true],
  ];
  return open.filter(([, isOpen]) => isOpen).map(([name]) => name);
}
