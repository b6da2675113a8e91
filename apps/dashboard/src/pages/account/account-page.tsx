import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { account } from '#texts/account';
import { Page } from '../../components/page';
import { TabList } from '../../components/tab-list';
import classes from './account.module.css';
import { DeletionTab } from './deletion-tab';
import { NotificationsTab } from './notifications-tab';
import { PlanTab } from './plan-tab';
import { ProfileTab } from './profile-tab';
import { SecurityTab } from './security-tab';
import { SessionsTab } from './sessions-tab';

const route = getRouteApi('/shell/account');
const TABS = { plan: PlanTab, profile: ProfileTab, notifications: NotificationsTab, security: SecurityTab, sessions: SessionsTab, deletion: DeletionTab } as const;
type Tab = keyof typeof TABS;

function isTab(text: string | undefined): text is Tab {
  return text !== undefined && Object.hasOwn(TABS, text);
}

export function AccountPage() {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const open: Tab = isTab(tab) ? tab : 'plan';
  const Panel = TABS[open];
  return (
    <Page title={account.title}>
      <Tabs value={open} onChange={(next) => void navigate({ search: next === null ? {} : { tab: next } })} activateTabWithKeyboard={false}>
        <TabList open={open}>{Object.entries(account.tabs).map(([name, label]) => <Tabs.Tab key={name} value={name}>{label}</Tabs.Tab>)}</TabList>
        <Tabs.Panel key={open} value={open} className={classes['panel']}><Panel /></Tabs.Panel>
      </Tabs>
    </Page>
  );
}
