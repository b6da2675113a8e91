import { entry } from '#texts/entry';
import { call } from '../../api/call';
import { TokenPage } from './token-page';
import { useArrive } from './use-arrive';

const { title, lead, submit, note, done, disown, disowned } = entry.verify;

export function VerifyPage() {
  const arrive = useArrive();
  return (
    <TokenPage
      page="verify" title={title} lead={lead} submit={submit} field={{ label: entry.password, note, autoComplete: 'current-password' }}
      onSubmit={async (token, password) => {
        const { email, sign_in: signIn } = await call('verifyEmail', { body: { token, password } });
        return arrive(signIn, done(email));
      }}
      second={{
        label: disown,
        onPress: async (token) => {
          await call('disown', { body: { token } });
          return { kind: 'good', text: disowned };
        },
      }}
    />
  );
}
