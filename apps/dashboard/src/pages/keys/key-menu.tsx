import { ActionIcon, Button, Drawer, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { common } from '#texts/common';
import { keys as texts } from '#texts/keys';
import { MoreIcon } from '../../components/icons';
import { useNarrow } from '../../components/use-narrow';
import type { KeyAct } from './key-dialogs';
import type { Key } from './key-state';
import classes from './keys.module.css';

interface KeyMenuProps {
  readonly apiKey: Key;
  /** True on the page of the key, which has the menu's links itself. */
  readonly isOwnPage?: boolean;
  readonly onAct: (act: KeyAct) => void;
}

interface Item {
  readonly label: string;
  readonly isDangerous: boolean;
  readonly onChoose: () => void;
}

function useItems({ apiKey: { id, status }, isOwnPage = false, onAct }: KeyMenuProps): readonly Item[] {
  const navigate = useNavigate();
  const item = (label: string, onChoose: () => void, isDangerous = false): Item => ({ label, onChoose, isDangerous });
  return [
    ...(isOwnPage ? [] : [item(texts.actions.open, () => void navigate({ to: '/keys/$id', params: { id } })), item(texts.actions.requests, () => void navigate({ to: '/usage', search: { key_id: id } }))]),
    ...(status === 'revoked' ? [] : [item(texts.actions.edit, () => onAct('edit'))]),
    ...(status === 'active' ? [item(texts.actions.rotate, () => onAct('rotate'), true), item(texts.actions.revoke, () => onAct('revoke'), true)] : []),
  ];
}

/** Opens as a sheet in narrow windows. */
export function KeyMenu(props: KeyMenuProps) {
  const narrow = useNarrow();
  const [opened, { open, close }] = useDisclosure(false);
  const items = useItems(props);
  const button = useRef<HTMLButtonElement>(null);
  /** Dialogs restore the focus to the element that had it, which must not be a menu item. */
  const choose = ({ onChoose }: Item) => {
    close();
    button.current?.focus();
    onChoose();
  };
  const label = texts.actionsOf(props.apiKey.name ?? props.apiKey.hint);
  if (!narrow) {
    return (
      <Menu position="bottom-end" width={180}>
        <Menu.Target><ActionIcon ref={button} variant="default" size={28} aria-label={label}><MoreIcon /></ActionIcon></Menu.Target>
        <Menu.Dropdown>
          {items.map((item) => <Menu.Item key={item.label} onClick={() => choose(item)} {...(item.isDangerous ? { color: 'var(--bad)' } : {})}>{item.label}</Menu.Item>)}
        </Menu.Dropdown>
      </Menu>
    );
  }
  return (
    <>
      <ActionIcon ref={button} variant="default" size={44} aria-label={label} aria-haspopup="dialog" onClick={open}><MoreIcon /></ActionIcon>
      <Drawer opened={opened} onClose={close} position="bottom" size="auto" classNames={{ content: classes['sheet-box'] ?? '' }} title={props.apiKey.name ?? props.apiKey.hint} closeButtonProps={{ 'aria-label': common.close }}>
        <div className={classes['sheet']}>
          {items.map((item) => (
            <Button key={item.label} variant="default" size="md" {...(item.isDangerous ? { c: 'var(--bad)' } : {})} onClick={() => choose(item)}>{item.label}</Button>
          ))}
        </div>
      </Drawer>
    </>
  );
}
