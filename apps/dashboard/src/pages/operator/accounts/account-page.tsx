import { Tabs } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { account as texts } from '#texts/operator-accounts';
import { hasCode } from '../../../api/api-error';
import { useRoute } from '../../../api/use-route';
import { EmptyState } from '../../../components/empty-state';
import { ButtonLink, TextLink } from '../../../components/link';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { Loading, Part } from '../../../components/part';
import { TabList } from '../../../components/tab-list';
import { AccountActions } from './account-actions';
import type { AccountDetail, Outcome } from './acts/account-data';
import type { OpenAct } from './acts/open-act';
import { AccountHead } from './account-head';
import classes from './account-page.module.css';
import { AuditTab } from './tabs/audit-tab';
import { KeysTab } from './tabs/keys-tab';
import { LedgerTab } from './tabs/ledger-tab';
import { LimitsTab } from './tabs/limits-tab';
import { MailTab } from './tabs/mail-tab';
import { NotesTab } from './tabs/notes-tab';
import { RequestsTab } from './tabs/requests-tab';
import { SessionsTab } from './tabs/sessions-tab';
import { StatementsTab } from './tabs/statements-tab';

const TABS = ['ledger', 'statements', 'requests', 'keys', 'limits', 'audit', 'sessions', 'mail', 'notes', 'owner'] as const;
type TabName = typeof TABS[number];

const OwnerTab = lazy(async () => ({ default: (await import('./tabs/owner-tab')).OwnerTab }));

interface ContentsProps {
  readonly account: AccountDetail;
  readonly tab: TabName;
  readonly onTab: (tab: TabName) => void;
  readonly onAct: (act: OpenAct) => void;
  readonly onDone: (outcome: Outcome) => void;
}

function Contents({ account, tab, onTab, onAct, onDone }: ContentsProps) {
  return (
    <Tabs value={tab} onChange={(value) => onTab(tabNamed(value))} keepMounted={false} classNames={{ root: classes['root'] ?? '', panel: classes['panel'] ?? '' }}>
      <TabList open={tab}>{TABS.map((name) => <Tabs.Tab key={name} value={name}>{texts.tabs[name]}</Tabs.Tab>)}</TabList>
      <Tabs.Panel value="ledger"><LedgerTab account={account} onAct={onAct} /></Tabs.Panel>
      <Tabs.Panel value="statements"><StatementsTab account={account} /></Tabs.Panel>
      <Tabs.Panel value="requests"><RequestsTab account={account} onAct={onAct} /></Tabs.Panel>
      <Tabs.Panel value="keys"><KeysTab account={account} onDone={onDone} /></Tabs.Panel>
      <Tabs.Panel value="limits"><LimitsTab account={account} /></Tabs.Panel>
      <Tabs.Panel value="audit"><AuditTab account={account} /></Tabs.Panel>
      <Tabs.Panel value="sessions"><SessionsTab account={account} onAct={onAct} /></Tabs.Panel>
      <Tabs.Panel value="mail"><MailTab account={account} /></Tabs.Panel>
      <Tabs.Panel value="notes"><NotesTab account={account} /></Tabs.Panel>
      <Tabs.Panel value="owner"><Suspense fallback={<Loading height={CONTENTS_HEIGHT} />}><OwnerTab account={account} /></Suspense></Tabs.Panel>
    </Tabs>
  );
}

const CONTENTS_HEIGHT = 480;
const PAGE_HEIGHT = 640;

function tabNamed(name: string | null | undefined): TabName {
  return TABS.find((tab) => tab === name) ?? 'ledger';
}

function OutcomeNote({ outcome, id }: { readonly outcome: Outcome; readonly id: string }) {
  const link = <TextLink to="/operator/accounts/$id" params={{ id }} search={{ tab: 'audit' }}>{texts.auditEntry}</TextLink>;
  return <Note kind={outcome.kind} announced action={outcome.audited && link}>{outcome.text}</Note>;
}

export function OperatorAccountPage() {
  const { id } = useParams({ from: '/shell/operator/accounts/$id' });
  const { tab } = useSearch({ from: '/shell/operator/accounts/$id' });
  const navigate = useNavigate();
  const account = useRoute('readAccount', { params: { id } });
  const [act, setAct] = useState<OpenAct | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { data } = account;
  if (hasCode(account.error, 'not_found', 'invalid_request')) {
    return <Page title={texts.title}><EmptyState title={texts.missing(id)} action={<ButtonLink to="/operator/accounts" variant="default">{texts.toAccounts}</ButtonLink>} /></Page>;
  }
  const show = (name: TabName) => void navigate({ to: '/operator/accounts/$id', params: { id }, search: name === 'ledger' ? {} : { tab: name }, replace: true });
  return (
    <Page
      title={data?.name ?? texts.title}
      action={data !== undefined && <AccountActions account={data} act={act} onAct={setAct} onDone={setOutcome} />}
    >
      <Part query={account} height={PAGE_HEIGHT}>
        {(loaded) => (
          <>
            <AccountHead account={loaded} onAct={setAct} />
            {outcome !== null && <OutcomeNote outcome={outcome} id={id} />}
            <Contents account={loaded} tab={tabNamed(tab)} onTab={show} onAct={setAct} onDone={setOutcome} />
          </>
        )}
      </Part>
    </Page>
  );
}
