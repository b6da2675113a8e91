import { mail } from '#texts/mail';
import { useRouteList } from '../../../../api/use-route';
import { EmptyState } from '../../../../components/empty-state';
import { TextLink } from '../../../../components/link';
import { MailTable } from '../../mail/mail-table';
import type { AccountDetail } from '../acts/account-data';

export function MailTab({ account: { id } }: { readonly account: AccountDetail }) {
  const list = useRouteList('listMail', { query: { account: id } });
  return (
    <>
      <TextLink to="/operator/mail">{mail.allAccounts}</TextLink>
      <MailTable list={list} empty={<EmptyState title={mail.noneOfAccount} />} />
    </>
  );
}
