import type { ReactNode } from 'react';
import { common } from '#texts/common';
import { usage } from '#texts/usage';
import { AccountName } from '../../components/account-name';
import { CopyId } from '../../components/copy-id';
import { ButtonLink, TextLink } from '../../components/link';
import { WholeModelLabel } from '../models/model-label';
import { RecordTitle } from './record-title';
import type { UsageDetail } from './usage-rows';
import type { Scope } from './usage-search';
import facts from '../../components/facts.module.css';
import classes from './record.module.css';

interface RecordDetailsProps {
  readonly record: UsageDetail;
  readonly scope: Scope;
  readonly keyName: (id: string) => string;
}

const texts = usage.record;

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return <><dt>{name}</dt><dd>{children}</dd></>;
}

export function RecordDetails({ record, scope, keyName }: RecordDetailsProps) {
  const { key_id: keyId, account_id: account } = record;
  return (
    <section aria-label={texts.idsTitle}>
      <RecordTitle>{texts.idsTitle}</RecordTitle>
      <dl className={facts['facts']}>
        <Fact name={texts.requested}><WholeModelLabel id={record.requested_model} /></Fact>
        <Fact name={texts.served}>{record.model === null ? common.none : <WholeModelLabel id={record.model} />}</Fact>
        {scope === 'all' && <Fact name={texts.upstream}>{record.upstream ?? common.none}</Fact>}
        {account !== undefined && <Fact name={texts.account}><AccountName id={account} /></Fact>}
        <Fact name={texts.key}><KeyFact {...{ keyId, scope, keyName }} /></Fact>
        <Fact name={texts.user}>{record.user ?? common.none}</Fact>
        <Fact name={texts.requestId}><CopyId id={record.request_id} whole /></Fact>
        <Fact name={texts.recordId}><CopyId id={record.id} whole /></Fact>
        {account !== undefined && <Fact name={texts.accountId}><CopyId id={account} whole /></Fact>}
        {keyId !== null && <Fact name={texts.keyId}><CopyId id={keyId} whole /></Fact>}
      </dl>
      <div className={classes['links']}>
        {scope === 'own' && record.model !== null && <ButtonLink to="/playground" search={{ model: record.model }} variant="default" size="xs">{texts.playground}</ButtonLink>}
        {scope === 'own' && keyId !== null && <ButtonLink to="/usage" search={{ key_id: keyId }} variant="default" size="xs">{texts.ofKey}</ButtonLink>}
        {account !== undefined && <ButtonLink to="/operator/usage" search={{ account }} variant="default" size="xs">{texts.ofAccount}</ButtonLink>}
      </div>
    </section>
  );
}

function KeyFact({ keyId, scope, keyName }: { readonly keyId: string | null } & Pick<RecordDetailsProps, 'scope' | 'keyName'>) {
  if (keyId === null) return common.none;
  return scope === 'own' ? <TextLink to="/keys/$id" params={{ id: keyId }}>{keyName(keyId)}</TextLink> : keyName(keyId);
}
