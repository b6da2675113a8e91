import { Anchor } from '@mantine/core';
import { entry } from '#texts/entry';
import { Page } from '../../components/page';
import { useSignOut } from '../../session/person';

const { twoFactor } = entry;

/** For operators without a second factor, who need a link from the command line to enrol one. */
export function OperatorLink() {
  const signOut = useSignOut();
  return (
    <Page title={twoFactor.enrolTitle} help={twoFactor.operatorLinkLead}>
      <p><code>{twoFactor.operatorLinkCommand}</code></p>
      <p><Anchor component="button" type="button" inherit underline="always" onClick={() => void signOut()}>{twoFactor.signOut}</Anchor></p>
    </Page>
  );
}
