import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { Reply } from '../api/call';
import { keepReturn } from './kept-return';
import { returnAddress } from './return-address';

type Reach = Reply<'signIn'>['reach'];

const HOME = '/';

/** Opens the second factor if required, otherwise `to` or the role's first page. */
export function useEnter(): (reach: Reach, to: string | undefined) => void {
  const client = useQueryClient();
  const router = useRouter();
  return (reach, to) => {
    // The cached data belong to another person, or to a session with fewer rights.
    client.clear();
    // The stored address belongs to an abandoned sign-in, or is equal to `to`.
    keepReturn(undefined);
    if (reach === 'full') router.history.replace(`/dashboard${returnAddress(to) ?? HOME}`);
    else void router.navigate({ to: '/two-factor', search: to === undefined ? {} : { to }, replace: true });
  };
}
