import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { shell } from '#texts/shell';
import { SearchIcon } from '../components/icons';
import { useRoute } from '../api/use-route';
import { useMe } from '../session/person';
import { OPERATOR_PAGES } from './operator-pages';
import { OWN_PAGES } from './pages';
import { type Find, findsFor } from './palette-finds';

const [store, palette] = createSpotlight();
const ID = /^(req|key|acct)_[A-Za-z0-9_-]+$/;

/** Rows for ids and searches; pages are listed separately. */
function actionsFor(query: string, isOperator: boolean, go: (to: string) => void): SpotlightActionData[] {
  const text = query.trim();
  const kind = ID.exec(text)?.[1];
  if (kind === 'req') return [{ id: 'request', label: shell.palette.openRequest(text), onClick: () => go(isOperator ? `/operator/usage/${text}` : `/usage/${text}`) }];
  if (kind === 'key' && !isOperator) return [{ id: 'key', label: shell.palette.openKey(text), onClick: () => go(`/keys/${text}`) }];
  if (kind === 'acct' && isOperator) return [{ id: 'account', label: shell.palette.openAccount(text), onClick: () => go(`/operator/accounts/${text}`) }];
  if (text === '' || !isOperator) return [];
  return [{ id: 'search', label: shell.palette.searchAccounts(text), onClick: () => go(`/operator/accounts?q=${encodeURIComponent(text)}`) }];
}

const PAUSE = 300;
const SHORTEST_SEARCH = 2;
const ACCOUNTS_SHOWN = 5;

/** The newest keys and models are read once; accounts and all keys are searched for by the gateway, after a pause in typing. */
function useFinds(text: string, isOperator: boolean): readonly Find[] {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setAsked(text), PAUSE);
    return () => window.clearTimeout(timer);
  }, [text]);
  const enabled = text !== '';
  const keys = useRoute('listKeys', {}, { enabled }).data?.data ?? [];
  const models = useRoute('listModels', {}, { enabled }).data?.data ?? [];
  const isSearched = asked.length >= SHORTEST_SEARCH && !ID.test(asked);
  const accounts = useRoute('listAccounts', { query: { q: asked, limit: ACCOUNTS_SHOWN } }, { enabled: isSearched && isOperator }).data?.data ?? [];
  const anyKeys = useRoute('findAnyKeys', { query: { q: asked } }, { enabled: isSearched && isOperator }).data?.data ?? [];
  const ownKeys = useRoute('findKeys', { query: { q: asked } }, { enabled: isSearched && !isOperator }).data?.data ?? [];
  const isCurrent = isSearched && asked === text;
  return findsFor(text, {
    keys, models: models.map(({ id, display_name: name }) => ({ id, name })), isOperator, foundKeys: isCurrent ? [...anyKeys, ...ownKeys] : [], accounts: isCurrent ? accounts : [],
  });
}

/** Selects the first row when rows arrive later; Mantine selects it only when the text changes. */
function useFirstSelected(rows: string): void {
  useEffect(() => {
    const { selected, listId } = store.getState();
    if (selected > 0 || rows === '') return;
    const list = document.getElementById(listId);
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [rows]);
}

interface PaletteProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** Loaded at first use, and open at its first rendering. */
export default function Palette({ query, onQuery }: PaletteProps) {
  const text = query.trim();
  const { person } = useMe();
  const router = useRouter();
  useEffect(() => palette.open(), []);
  const isOperator = person.role === 'operator';
  const go = (to: string) => void router.navigate({ href: `/dashboard${to}` });
  const itemOf = ([to, label]: readonly [string, string, ...unknown[]], description?: string) => ({ id: to, label, description, onClick: () => go(to) });
  const pages = [...OWN_PAGES.map((page) => itemOf(page)), ...(isOperator ? OPERATOR_PAGES.map((page) => itemOf(page, shell.operator)) : [])];
  const matching = pages.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
  const finds = useFinds(text, isOperator).map(({ to, ...find }) => ({ ...find, onClick: () => go(to) }));
  const actions = [...matching, ...finds, ...actionsFor(query, isOperator, go)];
  useFirstSelected(finds.map(({ id }) => id).join(' '));
  return (
    <Spotlight
      store={store} actions={actions} query={query} onQueryChange={onQuery} filter={(_text, all) => all} shortcut={null} clearQueryOnClose
      lockScroll={false} overlayProps={{ backgroundOpacity: 0.45, blur: 0 }} attributes={{ content: { 'aria-label': shell.search } }} nothingFound={isOperator ? shell.palette.nothingOperator : shell.palette.nothing} searchProps={{ leftSection: <SearchIcon />, placeholder: isOperator ? shell.palette.placeholderOperator : shell.palette.placeholder, 'aria-label': shell.search }}
    />
  );
}
