export type Imported = true;
