import { Button, Popover, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { lists } from '#texts/lists';
import { shortInstant } from '../format/instant';
import classes from './jump-to-time.module.css';

interface JumpToTimeProps {
  /** Time in UTC before which the list begins; `null` for the newest row. */
  readonly at: string | null;
  /** `null` returns to the newest row. */
  readonly onJump: (at: string | null) => void;
}

export function JumpToTime({ at, onJump }: JumpToTimeProps) {
  const [opened, setOpened] = useState(false);
  const [local, setLocal] = useState('');
  const jump = (event: FormEvent) => {
    event.preventDefault();
    if (local === '') return;
    setOpened(false);
    onJump(new Date(local).toISOString());
  };
  return (
    <>
      <Popover opened={opened} onChange={setOpened} position="top-start" trapFocus returnFocus>
        <Popover.Target><Button size="compact-sm" variant="subtle" onClick={() => setOpened(!opened)}>{lists.jump}</Button></Popover.Target>
        <Popover.Dropdown aria-label={lists.jump}>
          <form onSubmit={jump} className={classes['form']}>
            <TextInput type="datetime-local" label={lists.jumpDate} description={lists.jumpHelp} value={local} onChange={(event) => setLocal(event.currentTarget.value)} data-autofocus />
            <Button type="submit" variant="default">{lists.jumpAction}</Button>
          </form>
        </Popover.Dropdown>
      </Popover>
      {at !== null && <Button size="compact-sm" variant="light" onClick={() => onJump(null)}>{lists.jumpedTo(shortInstant(at))} ✕</Button>}
    </>
  );
}
