import { entry } from '#texts/entry';
import { call } from '../../api/call';
import { TokenPage } from './token-page';
import { useArrive } from './use-arrive';

const { title, lead, submit, done } = entry.invite;

export function InvitePage() {
  const arrive = useArrive();
  return (
    <TokenPage
      page="invite" title={title} lead={lead} submit={submit} field={{ label: entry.newPassword, note: entry.passwordNote, autoComplete: 'new-password' }}
      onSubmit={async (token, password) => arrive((await call('acceptInvitation', { body: { token, password } })).sign_in, done)}
    />
  );
}
