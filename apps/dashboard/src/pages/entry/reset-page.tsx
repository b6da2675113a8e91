import { entry } from '#texts/entry';
import { call } from '../../api/call';
import { ButtonLink } from '../../components/link';
import { TokenPage } from './token-page';
import { useArrive } from './use-arrive';

const { title, lead, submit, done, askAgain } = entry.reset;

export function ResetPage() {
  const arrive = useArrive();
  return (
    <TokenPage
      page="reset" title={title} lead={lead} submit={submit} field={{ label: entry.newPassword, note: entry.passwordNote, autoComplete: 'new-password' }}
      askAgain={<ButtonLink to="/forgot" variant="default">{askAgain}</ButtonLink>}
      onSubmit={async (token, password) => arrive((await call('resetPassword', { body: { token, password } })).sign_in, done)}
    />
  );
}
