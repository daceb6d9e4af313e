export { ColumnDescription, DATA_OWNER, DataSource, TableDescription } from "./data-source.ts";
