import { Fragment, type ReactNode } from 'react';
import { account as texts, standing } from '#texts/operator-accounts';
import { priceLists } from '#texts/price-lists';
import { Amount } from '../../../components/amount';
import { CopyId } from '../../../components/copy-id';
import { Instant } from '../../../components/instant';
import { TextLink } from '../../../components/link';
import { Note } from '../../../components/note';
import { Status } from '../../../components/status';
import { exactCount } from '../../../format/count';
import { shortInstant } from '../../../format/instant';
import type { AccountDetail } from './acts/account-data';
import type { OpenAct } from './acts/open-act';
import classes from './account-page.module.css';
import { Refusals } from './refusals';

function Tile({ label, value, help }: { readonly label: string; readonly value: ReactNode; readonly help: ReactNode }) {
  return (
    <div className={classes['tile']}>
      <span className="muted">{label}</span>
      <span className={classes['figure']}>{value}</span>
      <span className="muted">{help}</span>
    </div>
  );
}

/** The last version of each document that the owner agreed to. */
function ConsentLine({ consents }: Pick<AccountDetail, 'consents'>) {
  const last = (['terms', 'privacy'] as const).flatMap((document) => consents.findLast((one) => one.document === document) ?? []);
  return <>{texts.agreed} {last.map(({ document, version, agreed_at: at }, place) => <Fragment key={document}>{place > 0 && ', '}{texts.documents[document]} {version} (<Instant at={at} />)</Fragment>)}</>;
}

function PersonLine({ person }: Pick<AccountDetail, 'person'>) {
  if (person === null) return <>{texts.noPerson}</>;
  const factors = person.factors.length === 0 ? texts.noFactor : person.factors.map((factor) => texts.factors[factor] ?? factor).join(', ');
  return <>{person.role === 'operator' && <><strong>{texts.operator}</strong> · </>}<bdi>{person.name}</bdi> · {factors} · {texts.sessions(person.sessions)}</>;
}

/** Refused requests leave no record; the gateway counts them in memory. */
function RefusalsTile({ refusals: { since, counts } }: Pick<AccountDetail, 'refusals'>) {
  return <Tile label={texts.refused} value={exactCount(counts.reduce((total, { count }) => total + count, 0))} help={texts.refusedSince(shortInstant(since))} />;
}

export function AccountHead({ account, onAct }: { readonly account: AccountDetail; readonly onAct: (act: OpenAct) => void }) {
  const { id, email, email_verified: verified, balance, used } = account;
  const link = (tab: string, label: string) => <TextLink to="/operator/accounts/$id" params={{ id }} search={{ tab }}>{label}</TextLink>;
  return (
    <>
      <div className={classes['who']}>
        <Status value={account.standing} />
        {account.blocked && account.standing !== 'blocked' && <Status value="blocked" />}
        <span>{account.plan_in_force.name}</span>
        {account.price_list !== null && <span>{priceLists.label}: {account.price_list}</span>}
        <span className="muted">{email}, {verified ? texts.verified : texts.unverified}</span>
        <CopyId id={id} />
        <span className="muted">{texts.since} <Instant at={account.created_at} /></span>
        <span className="muted"><PersonLine person={account.person} /></span>
        {account.consents.length > 0 && <span className="muted"><ConsentLine consents={account.consents} /></span>}
      </div>
      {account.standing_reason !== null && <Note kind="warning">{standing.reason}: {account.standing_reason}</Note>}
      {account.deletion_due_at !== null && <Note kind="warning">{texts.deletionDue} <Instant at={account.deletion_due_at} />.</Note>}
      {account.plan !== account.plan_in_force.id && <Note kind="warning">{standing.notInCatalogue} ({account.plan})</Note>}
      {account.price_list !== null && account.price_list !== account.price_list_in_force && <Note kind="warning">{priceLists.notInCatalogue} ({account.price_list})</Note>}
      <div className={classes['tiles']}>
        <Tile label={texts.available} value={<Amount value={balance.available.svc_tokens} usd={balance.available.usd} />} help={<Amount value={balance.available.svc_tokens} form="tile" />} />
        <Tile label={texts.reserved} value={<Amount value={balance.reserved.svc_tokens} usd={balance.reserved.usd} />} help={link('requests', texts.reservedHelp)} />
        <Tile label={texts.tokensMonth} value={exactCount(used.tokens_this_month)} help={link('limits', texts.tokensToday(used.tokens_today))} />
        <RefusalsTile refusals={account.refusals} />
      </div>
      <Refusals account={account} onAct={onAct} />
    </>
  );
}
