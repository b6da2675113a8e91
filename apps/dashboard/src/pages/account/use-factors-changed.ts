import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { hasCode } from '../../api/api-error';
import { keyOf } from '../../api/use-route';
import { meQuery } from '../../session/person';

/** Before enrolment of a required factor, the API does not return the person. */
function reachOf(error: unknown): 'less' {
  if (hasCode(error, 'second_factor_required')) return 'less';
  throw error;
}

/** Without a required factor, the session can only enrol one. */
export function useFactorsChanged(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    const reach = await client.fetchQuery({ ...meQuery, staleTime: 0 }).then(() => 'full', reachOf);
    if (reach === 'full') await Promise.all([client.invalidateQueries({ queryKey: keyOf('factors') }), client.invalidateQueries({ queryKey: keyOf('listPasskeys') })]);
    else await navigate({ to: '/two-factor', search: { to: '/account?tab=security' } });
  };
}
