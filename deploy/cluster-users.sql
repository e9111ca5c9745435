-- Whom haproxy's check signs in as: without a password, and without rights.
create user haproxy@'%';
-- Whom a node copies itself for another as: the server's own process, by the machine's socket and without a password.
create user mysql@localhost identified via unix_socket;
grant reload, process, lock tables, binlog monitor, replica monitor on *.* to mysql@localhost;
