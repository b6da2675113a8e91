import { Checkbox, Modal, Table } from '@mantine/core';
import { type HotkeyItem, useHotkeys, useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { common } from '#texts/common';
import { shell } from '#texts/shell';
import { OWN_PAGES } from './pages';

const SECOND_KEY_WITHIN = 1_500;
const NOT_IN = ['INPUT', 'TEXTAREA', 'SELECT'];

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (NOT_IN.includes(target.tagName) || target.isContentEditable);
}

function usePageKeys(enabled: boolean): void {
  const navigate = useNavigate();
  // Not 0, which is the time of the page load: a letter soon after the load would open a page without `g`.
  const pressed = useRef(-Infinity);
  useEffect(() => {
    if (!enabled) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const page = OWN_PAGES.find(([, , , key]) => key === event.key);
      if (page !== undefined && event.timeStamp - pressed.current < SECOND_KEY_WITHIN) void navigate({ to: page[0] });
      pressed.current = event.key === 'g' ? event.timeStamp : -Infinity;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [enabled, navigate]);
}

/** Focuses the field marked `data-page-filter`. */
function focusFilter(): void {
  document.querySelector<HTMLElement>('[data-page-filter]')?.focus();
}

export function Shortcuts() {
  const [singleKeys, setSingleKeys] = useLocalStorage({ key: 'single-keys', defaultValue: true, getInitialValueInEffect: false });
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  usePageKeys(singleKeys);
  const createKey = () => void navigate({ to: '/keys', search: { create: '1' } });
  const letters: HotkeyItem[] = [['/', focusFilter], ['c', createKey]];
  useHotkeys([['shift+?', () => setOpen(true)], ...(singleKeys ? letters : [])]);
  return (
    <Modal opened={open} onClose={() => setOpen(false)} title={shell.keys.title} closeButtonProps={{ 'aria-label': common.close }}>
      <Table>
        <Table.Tbody>
          {shell.keys.rows.map(([keys, effect]) => <Table.Tr key={keys}><Table.Th scope="row">{keys}</Table.Th><Table.Td>{effect}</Table.Td></Table.Tr>)}
        </Table.Tbody>
      </Table>
      <Checkbox mt={12} label={shell.keys.singleKeys} checked={singleKeys} onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)} />
    </Modal>
  );
}
