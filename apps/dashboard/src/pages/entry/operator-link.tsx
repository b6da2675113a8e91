import { Anchor } from '@mantine/core';
import { entry } from '#texts/entry';
import { Page } from '../../components/page';
import { useSignOut } from '../../session/person';

const { twoFactor } = entry;

/** For an operator who has no second factor yet: only a link that was made on the machine lets them set one up. */
export function OperatorLink() {
  const signOut = useSignOut();
  return (
    <Page title={twoFactor.enrolTitle} help={twoFactor.operatorLinkLead}>
      <p><code>{twoFactor.operatorLinkCommand}</code></p>
      <p><Anchor component="button" type="button" inherit underline="always" onClick={() => void signOut()}>{twoFactor.signOut}</Anchor></p>
    </Page>
  );
}
