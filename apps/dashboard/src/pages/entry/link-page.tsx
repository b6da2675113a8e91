import { entry } from '#texts/entry';
import { call } from '../../api/call';
import { TokenPage } from './token-page';
import { useArrive } from './use-arrive';

/** Signs in with a one-time link. */
export function LinkPage() {
  const arrive = useArrive();
  return <TokenPage page="link" {...entry.link} onSubmit={async (token) => arrive(await call('signInByLink', { body: { token } }), null)} />;
}
