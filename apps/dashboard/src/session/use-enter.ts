import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { Reply } from '../api/call';
import { keepReturn } from './kept-return';
import { returnAddress } from './return-address';

export type Reach = Reply<'signIn'>['reach'];

const HOME = '/';

/** To the second factor if required, otherwise to `to` or the role's first page. */
export function useEnter(): (reach: Reach, to: string | undefined) => void {
  const client = useQueryClient();
  const router = useRouter();
  return (reach, to) => {
    // What was read before belongs to someone else, or to a session that could do less.
    client.clear();
    // It belongs to a sign-in that was given up for this one, or is in `to`.
    keepReturn(undefined);
    if (reach === 'full') router.history.replace(`/dashboard${returnAddress(to) ?? HOME}`);
    else void router.navigate({ to: '/two-factor', search: to === undefined ? {} : { to }, replace: true });
  };
}
