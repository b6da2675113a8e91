import { Button, Checkbox, Popover } from '@mantine/core';
import { lists } from '#texts/lists';
import { ColumnsIcon } from './icons';
import classes from './long-table.module.css';
import type { Columns } from './use-columns';

/** Says which columns do not fit, and lets the person choose others. */
export function ColumnMenu<Row extends object>({ label, columns: { shown, all, cut, isWider, isChosen, choose } }: { readonly label: string; readonly columns: Columns<Row> }) {
  const ids = shown.map(({ id = '' }) => id);
  return (
    <div className={classes['tools']}>
      <span className={classes['cut']}>
        {cut.length > 0 && lists.cutColumns(cut.map(({ name }) => name).join(', '))}
        {isWider && lists.scrollSideways}
      </span>
      <Popover position="bottom-end" trapFocus returnFocus>
        <Popover.Target>
          <Button size="compact-sm" variant="subtle" leftSection={<ColumnsIcon />} aria-label={lists.columnsOf(label, ids.length, all.length)}>{lists.columns(ids.length, all.length)}</Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={lists.columnsTitle(label)}>
          <Checkbox.Group value={ids} onChange={(chosen) => { if (chosen.length > 0) choose(chosen); }}>
            <div className={classes['choices']}>{all.map(({ id, name }) => <Checkbox key={id} value={id} label={name} disabled={ids.length === 1 && ids[0] === id} />)}</div>
          </Checkbox.Group>
          {/* Not `disabled`: a disabled button would lose the keyboard focus, and Escape would not close the menu. */}
          <Button mt={12} size="xs" variant="default" aria-disabled={!isChosen} data-disabled={!isChosen || undefined} onClick={() => { if (isChosen) choose(null); }}>{lists.resetColumns}</Button>
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
