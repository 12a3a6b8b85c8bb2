-- Open social payments: the money sent by social pay that nobody has claimed yet and that returns if nobody does.
-- For: treasury. Ties to: books.social_payments. The amounts have left the books already (equity:external:person), and come
-- back as wallet transactions of the subtype reimbursement. without_record: orders whose wallet transaction is not found.
--   psql -f sql/cookbook/social_payments_open.sql
select entity_id, currency, count(*) as orders, trim_scale(sum(amount)) as amount, count(*) filter (where record_id is null) as without_record,
  min(expires_at) as first_expires_at, max(expires_at) as last_expires_at
from books.social_payments
where may_return
group by entity_id, currency
order by entity_id collate "C", currency collate "C";
