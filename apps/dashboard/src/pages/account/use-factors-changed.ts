import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { keyOf } from '../../api/use-route';
import { meQuery } from '../../session/person';

/** Reads the factors anew after a change. Where a required one is gone, the session can do nothing but set up another. */
export function useFactorsChanged(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    const { reach } = await client.fetchQuery({ ...meQuery, staleTime: 0 });
    if (reach === 'full') await Promise.all([client.invalidateQueries({ queryKey: keyOf('factors') }), client.invalidateQueries({ queryKey: keyOf('listPasskeys') })]);
    else await navigate({ to: '/two-factor', search: { to: '/account?tab=security' } });
  };
}
