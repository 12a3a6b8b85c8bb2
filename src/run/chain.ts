// How the rows of a run are linked: which tables, which columns, and the digests of the chain.
export { COVERS } from './covers.ts';
export {
  chainDigest,
  columnsOf,
  FIRST,
  isChained,
  isOf,
  LINK,
  quoted,
  stateDigest,
  WHOLE,
} from './link-sql.ts';
