import { useRouterState } from '@tanstack/react-router';
import { useMe } from '../session/person';

/** Pages of one's own account, or those of the operators. */
export type Room = 'owner' | 'operator';

/** Owners are always in their own room, also at an address of the operators. */
export function useRoom(): Room {
  const { person } = useMe();
  const isOperators = useRouterState({ select: ({ location: { pathname } }) => pathname === '/operator' || pathname.startsWith('/operator/') });
  return person.role === 'operator' && isOperators ? 'operator' : 'owner';
}
