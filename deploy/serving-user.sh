# Read by the start of MariaDB's image when it makes a new database: the user who serves, to whom `migrate` gives their rights, and the owner's right
# to give them. With SERVING_TLS both are let in over TLS alone.
docker_process_sql --database=mysql <<SQL
create user portal@'%' identified by '${SERVING_PASSWORD}' ${SERVING_TLS:+require ssl};
grant all on portal.* to owner@'%' ${SERVING_TLS:+require ssl} with grant option;
SQL
