import { useQueryClient } from '@tanstack/react-query';
import { entry } from '#texts/entry';
import { call } from '../../api/call';
import { TokenPage } from './token-page';

const { title, lead, submit, confirmed, changed } = entry.changeEmail;

/** Handles both links: the one mailed to the old address, then the one mailed to the new address. */
export function ChangeEmailPage() {
  const client = useQueryClient();
  return (
    <TokenPage
      page="change-email" title={title} lead={lead} submit={submit}
      onSubmit={async (token) => {
        const { state } = await call('confirmChangeEmail', { body: { token } });
        client.clear();
        return { kind: 'good', text: state === 'confirmed' ? confirmed : changed };
      }}
    />
  );
}
