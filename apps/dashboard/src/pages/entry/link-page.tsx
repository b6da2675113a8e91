import { entry } from '#texts/entry';
import { hasCode } from '../../api/api-error';
import { call } from '../../api/call';
import { linkReturn } from '../../session/link-token';
import { type LinkOutcome, TokenPage } from './token-page';
import { useArrive } from './use-arrive';

/** Here `sign_in_failed` can only mean an invalid token, since the page sends no password. */
function refusalOf(error: unknown): LinkOutcome {
  if (hasCode(error, 'sign_in_failed')) return { kind: 'bad', text: entry.link.refused };
  throw error;
}

export function LinkPage() {
  const arrive = useArrive();
  const signIn = async (token: string) => {
    const answer = await call('signInByLink', { body: { token } }).catch(refusalOf);
    return 'kind' in answer ? answer : arrive(answer, null, linkReturn());
  };
  return <TokenPage page="link" {...entry.link} onSubmit={signIn} />;
}
