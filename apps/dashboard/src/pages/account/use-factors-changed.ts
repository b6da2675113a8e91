import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { hasCode } from '../../api/api-error';
import { keyOf } from '../../api/use-route';
import { meQuery } from '../../session/person';

/** While a required factor is missing, the session has fewer rights and the API refuses to return the person. */
function reachOf(error: unknown): 'less' {
  if (hasCode(error, 'second_factor_required')) return 'less';
  throw error;
}

/** Refreshes the factors. If a required factor is missing now, opens its enrolment, the only page that the session may use. */
export function useFactorsChanged(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    const reach = await client.fetchQuery({ ...meQuery, staleTime: 0 }).then(() => 'full', reachOf);
    if (reach === 'full') await Promise.all([client.invalidateQueries({ queryKey: keyOf('factors') }), client.invalidateQueries({ queryKey: keyOf('listPasskeys') })]);
    else await navigate({ to: '/two-factor', search: { to: '/account?tab=security' } });
  };
}
